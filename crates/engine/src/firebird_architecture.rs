//! How Firebird's connections share processors and pages: SuperServer, SuperClassic, Classic.
//!
//! SuperServer has one cache. That of 2.5 lets one thread at a time into a database (`Database::Sync`), and the next one
//! while a page is transferred (`Database::Checkout`): transfers go on side by side, work does not, whatever the number
//! of processors. That of 3.0 knows no such turn.
//!
//! Classic and SuperClassic give each connection a cache of its own, and no thread collects old versions. Connections
//! that ask for pages alike hit their caches as often as one connection would: one pool of that many frames stands for
//! all of them. What it would not show is told apart here: a page that another connection has changed has to be read
//! again, and to be written before that, since its holder gives it up when the other asks (`blocking_ast_bdb`).

use crate::{
    firebird::Firebird,
    host::{Cause, Host, Places, TaskId, charged},
    pages::PageId,
    parameters::{BadValue, Parameters},
    profile::Profile,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// The parameter that chooses.
const PARAMETER: &str = "architecture";

/// The most frames a search for a clean one goes through.
const FREE_MINIMUM: u32 = 128;

/// Pages that were changed, and who has the last version of each.
type Holders = BTreeMap<PageId, BTreeSet<TaskId>>;

/// Who may work when, and who has which page.
#[derive(Debug, Default)]
pub(crate) struct Architecture {
    /// The only place for work.
    turn: Option<Places>,
    /// Of connections with caches of their own.
    holders: Option<RefCell<Holders>>,
}

/// Whether each connection has a cache of its own.
pub fn has_private_caches(profile: &Profile, parameters: &Parameters) -> bool {
    profile.parameter(PARAMETER).is_some()
        && profile.value(parameters, PARAMETER).is_ok_and(|value| value > 0.0)
}

impl Architecture {
    /// As the profile and its parameters have it.
    pub(crate) fn new(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        if profile.parameter(PARAMETER).is_none() {
            return Ok(Self::default());
        }
        let is_super = profile.value(parameters, PARAMETER)? == 0.0;
        Ok(Self { turn: is_super.then(|| Places::new(1)), holders: (!is_super).then(RefCell::default) })
    }

    /// Work that needs no turn, and work that has to wait for one.
    pub(crate) fn at_once_or_in_turn(&self, ns: u64) -> (u64, u64) {
        if self.turn.is_some() { (0, ns) } else { (ns, 0) }
    }

    /// How many frames a search for a clean one goes through, the one not used for longest first, before it makes do with
    /// a changed one (`bcb_free_minimum` of `get_buffer` in 2.5); none where the first has to do.
    pub(crate) fn walk(&self, frames: u32) -> Option<u32> {
        let knows = self.turn.is_some() || self.holders.is_some();
        knows.then(|| (frames / 4).clamp(1, FREE_MINIMUM))
    }

    /// Whether a thread of the server writes changed pages that nobody has used for long.
    pub(crate) fn has_cache_writer(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether a thread of the server collects old versions.
    pub(crate) fn has_collector(&self) -> bool {
        self.holders.is_none()
    }

    /// `task` has changed a page: others have an old version.
    pub(crate) fn changed(&self, page: PageId, task: TaskId) {
        if let Some(holders) = &self.holders {
            holders.borrow_mut().insert(page, BTreeSet::from([task]));
        }
    }

    /// Whether `task` has an old version of a page; it gets the last one now.
    fn is_old(&self, page: PageId, task: TaskId) -> bool {
        let Some(holders) = &self.holders else { return false };
        holders.borrow_mut().get_mut(&page).is_some_and(|have_it| have_it.insert(task))
    }
}

impl<H: Host> Firebird<H> {
    /// Works for `ns` on a processor, when it is this task's turn.
    pub(crate) async fn cpu(&self, ns: u64) {
        match &self.architecture.turn {
            Some(turn) => {
                charged(&self.host, Cause::CpuQueue, turn.enter(&self.host)).await;
                self.host.cpu(ns).await;
                turn.leave(&self.host);
            }
            None => self.host.cpu(ns).await,
        }
    }

    /// Reads a page again that another connection has changed.
    pub(crate) async fn refresh(&self, page: PageId) {
        if self.architecture.is_old(page, self.host.task()) {
            self.write(page).await;
            charged(&self.host, Cause::Read, self.cache.buffer.read_again(&self.host, page)).await;
            self.cpu(self.costs.page_read_ns).await;
        }
    }
}
