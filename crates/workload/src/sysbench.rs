//! sysbench's `oltp_*` scripts (1.0.20): point selects, ranges of a hundred rows, and four small writes.

use crate::{Draw, WorkloadKind};
use spindle_engine::statement::{NewKey, Statement};

const POINT_SELECTS: usize = 10;
const RANGES: usize = 4;
const RANGE_ROWS: u32 = 100;

/// The statements of one transaction.
pub(crate) fn transaction(kind: WorkloadKind, draw: &mut Draw<'_>, statements: &mut Vec<Statement>) {
    match kind {
        WorkloadKind::PointSelect => statements.push(select(draw)),
        WorkloadKind::UpdateIndex => statements.push(update(draw, true)),
        WorkloadKind::UpdateNonIndex => statements.push(update(draw, false)),
        _ => {
            if kind != WorkloadKind::WriteOnly {
                reads(draw, statements);
            }
            if kind != WorkloadKind::ReadOnly {
                writes(draw, statements);
            }
        }
    }
}

fn select(draw: &mut Draw<'_>) -> Statement {
    let table = draw.table();
    Statement::Select { table, index: draw.primary(table), row: draw.row(table) }
}

fn update(draw: &mut Draw<'_>, indexed: bool) -> Statement {
    let table = draw.table();
    // `k`, an integer with an index, or `c`, a CHAR(120).
    let (index, bytes) = if indexed { (draw.non_unique(table), 4) } else { (None, 120) };
    Statement::Update { table, row: draw.row(table), index, bytes }
}

fn reads(draw: &mut Draw<'_>, statements: &mut Vec<Statement>) {
    // Each group of statements of a transaction goes to one table.
    let table = draw.table();
    let index = draw.primary(table);
    for _ in 0..POINT_SELECTS {
        statements.push(Statement::Select { table, index, row: draw.row(table) });
    }
    for _ in 0..RANGES {
        let table = draw.table();
        let index = draw.primary(table);
        statements.push(Statement::Range { table, index, row: draw.row(table), rows: RANGE_ROWS });
    }
}

fn writes(draw: &mut Draw<'_>, statements: &mut Vec<Statement>) {
    statements.push(update(draw, true));
    statements.push(update(draw, false));
    let table = draw.table();
    let row = draw.row(table);
    statements.push(Statement::Delete { table, row });
    statements.push(Statement::Insert { table, key: NewKey::Same(row) });
}
