//! pgbench's `tpcb-like` script. Its `simple-update` and `select-only` are `UpdateNonIndex` and `PointSelect`.

use crate::Draw;
use spindle_engine::statement::{NewKey, Statement};

/// Tables in the order in which a scenario lists them.
const ACCOUNTS: usize = 0;
const TELLERS: usize = 1;
const BRANCHES: usize = 2;
const HISTORY: usize = 3;
/// How many tables there are.
pub(crate) const TABLES: usize = 4;

/// An account, its teller and its branch change, each drawn by itself, and a row of history is added.
pub(crate) fn transaction(draw: &mut Draw<'_>, statements: &mut Vec<Statement>) {
    let account = draw.row(ACCOUNTS);
    let update = |table: usize, row: u64| Statement::Update { table, row, index: None, bytes: 4 };
    statements.push(update(ACCOUNTS, account));
    let index = draw.primary(ACCOUNTS);
    statements.push(Statement::Select { table: ACCOUNTS, index, row: account });
    statements.push(update(TELLERS, draw.any_row(TELLERS)));
    statements.push(update(BRANCHES, draw.any_row(BRANCHES)));
    statements.push(Statement::Insert { table: HISTORY, key: NewKey::Random });
}
