//! Tables and columns of TPC-H, as far as plans speak of them.

use std::fmt;

/// A table of TPC-H.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableName {
    /// 5 rows.
    Region,
    /// 25 rows.
    Nation,
    /// 10 000 rows a unit of scale.
    Supplier,
    /// 200 000 rows a unit of scale.
    Part,
    /// 800 000 rows a unit of scale, four a part.
    Partsupp,
    /// 150 000 rows a unit of scale.
    Customer,
    /// 1 500 000 rows a unit of scale.
    Orders,
    /// About 6 000 000 rows a unit of scale, one to seven an order.
    Lineitem,
}

impl TableName {
    /// All tables, in the order in which they stand in a Scenario.
    pub const ALL: [Self; 8] = [
        Self::Region,
        Self::Nation,
        Self::Supplier,
        Self::Part,
        Self::Partsupp,
        Self::Customer,
        Self::Orders,
        Self::Lineitem,
    ];

    /// The name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Nation => "nation",
            Self::Supplier => "supplier",
            Self::Part => "part",
            Self::Partsupp => "partsupp",
            Self::Customer => "customer",
            Self::Orders => "orders",
            Self::Lineitem => "lineitem",
        }
    }

    /// The table of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// The table's number in the order of [`Self::ALL`].
    pub fn number(self) -> usize {
        self as usize
    }

    /// Its indexes: the primary key, and those that the measured databases had behind it.
    pub fn indexes(self) -> &'static [IndexKey] {
        use Column as C;
        const fn key(name: &'static str, first: Column, second: Option<Column>) -> IndexKey {
            IndexKey { name, first, second }
        }
        const PRIMARY: &str = "PRIMARY";
        match self {
            Self::Region => const { &[key(PRIMARY, C::RRegionkey, None)] },
            Self::Nation => {
                const { &[key(PRIMARY, C::NNationkey, None), key("n_regionkey", C::NRegionkey, None)] }
            }
            Self::Supplier => {
                const { &[key(PRIMARY, C::SSuppkey, None), key("s_nationkey", C::SNationkey, None)] }
            }
            Self::Part => const { &[key(PRIMARY, C::PPartkey, None)] },
            Self::Partsupp => {
                const { &[key(PRIMARY, C::PsPartkey, Some(C::PsSuppkey)), key("ps_suppkey", C::PsSuppkey, None)] }
            }
            Self::Customer => {
                const { &[key(PRIMARY, C::CCustkey, None), key("c_nationkey", C::CNationkey, None)] }
            }
            Self::Orders => {
                const {
                    &[
                        key(PRIMARY, C::OOrderkey, None),
                        key("o_custkey", C::OCustkey, None),
                        key("o_orderdate", C::OOrderdate, None),
                    ]
                }
            }
            Self::Lineitem => {
                const {
                    &[
                        key(PRIMARY, C::LOrderkey, None),
                        key("l_partkey_suppkey", C::LPartkey, Some(C::LSuppkey)),
                        key("l_suppkey", C::LSuppkey, None),
                        key("l_shipdate", C::LShipdate, None),
                    ]
                }
            }
        }
    }
}

/// An index by the columns that plans look its entries up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexKey {
    /// Its name in plans.
    pub name: &'static str,
    /// Its first column.
    pub first: Column,
    /// Its second one.
    pub second: Option<Column>,
}

macro_rules! columns {
    ($($name:ident $text:literal $table:ident,)*) => {
        /// A column of TPC-H that some plan speaks of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Column { $(#[doc = $text] $name,)* }

        impl Column {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name in SQL.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The table it is in.
            pub fn table(self) -> TableName {
                match self { $(Self::$name => TableName::$table,)* }
            }
        }
    };
}

columns! {
    RRegionkey "r_regionkey" Region,
    RName "r_name" Region,
    NNationkey "n_nationkey" Nation,
    NName "n_name" Nation,
    NRegionkey "n_regionkey" Nation,
    SSuppkey "s_suppkey" Supplier,
    SNationkey "s_nationkey" Supplier,
    SAcctbal "s_acctbal" Supplier,
    SComment "s_comment" Supplier,
    PPartkey "p_partkey" Part,
    PName "p_name" Part,
    PMfgr "p_mfgr" Part,
    PBrand "p_brand" Part,
    PType "p_type" Part,
    PSize "p_size" Part,
    PContainer "p_container" Part,
    PsPartkey "ps_partkey" Partsupp,
    PsSuppkey "ps_suppkey" Partsupp,
    PsAvailqty "ps_availqty" Partsupp,
    PsSupplycost "ps_supplycost" Partsupp,
    CCustkey "c_custkey" Customer,
    CNationkey "c_nationkey" Customer,
    CPhone "c_phone" Customer,
    CAcctbal "c_acctbal" Customer,
    CMktsegment "c_mktsegment" Customer,
    OOrderkey "o_orderkey" Orders,
    OCustkey "o_custkey" Orders,
    OOrderstatus "o_orderstatus" Orders,
    OTotalprice "o_totalprice" Orders,
    OOrderdate "o_orderdate" Orders,
    OOrderpriority "o_orderpriority" Orders,
    OComment "o_comment" Orders,
    LOrderkey "l_orderkey" Lineitem,
    LPartkey "l_partkey" Lineitem,
    LSuppkey "l_suppkey" Lineitem,
    LQuantity "l_quantity" Lineitem,
    LExtendedprice "l_extendedprice" Lineitem,
    LDiscount "l_discount" Lineitem,
    LTax "l_tax" Lineitem,
    LReturnflag "l_returnflag" Lineitem,
    LLinestatus "l_linestatus" Lineitem,
    LShipdate "l_shipdate" Lineitem,
    LCommitdate "l_commitdate" Lineitem,
    LReceiptdate "l_receiptdate" Lineitem,
    LShipinstruct "l_shipinstruct" Lineitem,
    LShipmode "l_shipmode" Lineitem,
}

impl Column {
    /// The column of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.name() == name)
    }

    /// Whether it holds text: it can be compared with words and patterns, and grouped by.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Self::RName
                | Self::NName
                | Self::SComment
                | Self::PName
                | Self::PMfgr
                | Self::PBrand
                | Self::PType
                | Self::PContainer
                | Self::CPhone
                | Self::CMktsegment
                | Self::OOrderstatus
                | Self::OOrderpriority
                | Self::OComment
                | Self::LReturnflag
                | Self::LLinestatus
                | Self::LShipinstruct
                | Self::LShipmode
        )
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
