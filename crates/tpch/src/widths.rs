//! Bytes of columns in rows that operators keep or send.

use crate::columns::Column;

impl Column {
    /// Its average bytes as PostgreSQL keeps it, header of text included (`pg_stats.avg_width` at scale 1).
    pub fn bytes(self) -> u32 {
        use Column as C;
        match self {
            C::RName | C::NName | C::PMfgr | C::LShipinstruct => 26,
            C::SComment => 63,
            C::PName => 33,
            C::PBrand | C::PContainer | C::CMktsegment | C::LShipmode => 11,
            C::PType => 21,
            C::CPhone | C::OOrderpriority => 16,
            C::OComment => 49,
            C::OOrderstatus | C::LReturnflag | C::LLinestatus => 2,
            C::OTotalprice | C::LExtendedprice => 8,
            C::SAcctbal | C::CAcctbal | C::PsSupplycost => 6,
            C::LQuantity => 5,
            C::LDiscount | C::LTax => 4,
            // Keys, dates, counts.
            _ => 4,
        }
    }
}
