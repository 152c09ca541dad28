//! Names of the values of an enum, as a table instead of a list and two matches.

/// Gives an enum its values as `ALL`, in the order of the table, and their `name`. With the name of
/// a setting, the enum is also parsed.
macro_rules! names {
    ($kind:ident { $($value:ident => $name:literal,)+ }) => {
        impl $kind {
            /// Every value.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The name, the same in every interface.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    };
    ($kind:ident of $setting:literal { $($table:tt)+ }) => {
        names!($kind { $($table)+ });

        impl std::str::FromStr for $kind {
            type Err = crate::error::Error;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                crate::error::named($setting, name, &Self::ALL, Self::name)
            }
        }
    };
}

pub(crate) use names;
