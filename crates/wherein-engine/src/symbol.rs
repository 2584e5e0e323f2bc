//! The noun "symbol": a named piece of code, what it is and where it stands.
//!
//! Made by `syntax` from a file's tree, kept by `store`, shown by every front. Must not know any grammar.

use std::fmt;
use std::str::FromStr;

macro_rules! symbol_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a symbol is.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[non_exhaustive]
        pub enum SymbolKind {
            $($(#[$doc])* $variant,)*
        }

        impl SymbolKind {
            /// Every kind, in the order of the enum.
            pub const ALL: &[SymbolKind] = &[$(SymbolKind::$variant,)*];

            /// The name used on the command line, in JSON and in the queries of grammars.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(SymbolKind::$variant => $name,)*
                }
            }
        }
    };
}

symbol_kinds! {
    /// A function that belongs to no type.
    Function = "function",
    /// A function of a type.
    Method = "method",
    /// Makes a value of its type.
    Constructor = "constructor",
    /// A class.
    Class = "class",
    /// An interface or protocol.
    Interface = "interface",
    /// A trait, mixin or type class.
    Trait = "trait",
    /// A struct or record.
    Struct = "struct",
    /// An enumeration.
    Enum = "enum",
    /// One value of an enumeration.
    Variant = "variant",
    /// A union.
    Union = "union",
    /// A singleton or companion object.
    Object = "object",
    /// A name for another type, or a type that is none of the above.
    Type = "type",
    /// A module, namespace or package.
    Module = "module",
    /// A macro.
    Macro = "macro",
    /// A value that does not change.
    Constant = "constant",
    /// A variable of a file or module.
    Variable = "variable",
    /// A variable of a type.
    Field = "field",
    /// A value of a type that code computes.
    Property = "property",
    /// A route of a web service that is declared by a call.
    Route = "route",
    /// A named test that is declared by a call.
    Test = "test",
    /// A heading of prose with what stands below it.
    Section = "section",
    /// A rule of a style sheet.
    Rule = "rule",
    /// An element of a page that has a name.
    Element = "element",
    /// A key of a settings file.
    Key = "key",
    /// A table of a database.
    Table = "table",
    /// A view of a database.
    View = "view",
    /// An index of a database.
    Index = "index",
    /// A stage of a container image.
    Stage = "stage",
}

impl SymbolKind {
    /// Whether it is called: its body runs.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
        )
    }

    /// Whether functions inside it are methods.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::Variant
                | SymbolKind::Union
                | SymbolKind::Object
                | SymbolKind::Type
        )
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for SymbolKind {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<SymbolKind> {
        SymbolKind::ALL.iter().copied().find(|kind| kind.as_str() == text).ok_or_else(|| {
            let known: Vec<&str> = SymbolKind::ALL.iter().map(|kind| kind.as_str()).collect();
            crate::Error::usage(format!("'{text}' is not a kind of symbol"))
                .with_hint(format!("kinds of symbols are {}", known.join(", ")))
        })
    }
}

/// What a web service answers to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Route {
    /// The HTTP method in capitals; `ANY` where the code takes every method.
    pub method: String,
    /// The path as the code states it, with the prefix of its class.
    pub path: String,
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// A named piece of code.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Symbol {
    /// The name as written.
    pub name: String,
    /// Function, method, class …
    pub kind: SymbolKind,
    /// The enclosing symbols, outermost first, joined with `.`.
    pub parent: Option<String>,
    /// The package or module that the file states to belong to.
    pub module: Option<String>,
    /// The declaration without its body, white space collapsed.
    pub signature: String,
    /// The first paragraph of its doc comment, white space collapsed.
    pub doc: Option<String>,
    /// Decorators, annotations and attributes as written.
    pub annotations: Vec<String>,
    /// Where the code states one.
    pub route: Option<Route>,
    /// First line, decorators included, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The line that its name stands in.
    pub name_line: u32,
}

impl Symbol {
    /// The parent chain and the name, joined with `.`.
    pub fn qualified(&self) -> String {
        match &self.parent {
            Some(parent) => format!("{parent}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// As what an identifier stands in a line of code; the strongest counts where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UsageClass {
    /// The name of a definition.
    Definition,
    /// What is called.
    Call,
    /// Anything else in code.
    Mention,
}

impl UsageClass {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            UsageClass::Definition => "definition",
            UsageClass::Call => "call",
            UsageClass::Mention => "mention",
        }
    }
}
