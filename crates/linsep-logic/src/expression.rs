//! Boolean expressions: parses a text to a truth table, with the column of any error.
//!
//! In order of decreasing precedence:
//!
//! | written | means |
//! |---|---|
//! | `x1`, `door_open`, `0`, `1`, `(…)` | an input, a constant, a subexpression |
//! | `maj(a, b, c)`, `atleast(2, a, b, c)`, `if(a, b, c)` | functions |
//! | `nand(a, b)`, `and or xor nor xnor(…)` | operators as functions |
//! | `!a`, `~a`, `¬a`, `not a` | not |
//! | `a & b`, `a && b`, `a * b`, `a ∧ b`, `a and b` | and |
//! | `a ^ b`, `a ⊕ b`, `a xor b` | exclusive or |
//! | <code>a &#124; b</code>, `a + b`, `a ∨ b`, `a or b` | or |
//! | `a -> b`, `a => b`, `a → b` | if a then b; right-associative |
//! | `a <-> b`, `a = b`, `a ↔ b` | equivalence |
//!
//! Inputs are the names in the expression, in natural order: digits compare as numbers, so x2 is
//! before x10. `maj` is true if more than half of its arguments are.

use super::parser::{Function, Node, parse};
use super::truth::{MOST_INPUTS, TruthTable};
use crate::error::Error;
use linsep_core::Error as Size;

/// Largest number of characters.
const LONGEST: usize = 1 << 14;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The names of its inputs, in natural order.
    pub inputs: Vec<String>,
    /// The function computed by the expression.
    pub truth: TruthTable,
}

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(Size::TooLarge { what: "characters", got: length, most: LONGEST }.into());
        }
        let (node, names) = parse(text)?;
        // Names in natural order; nodes refer to them by first appearance.
        let mut inputs = names.clone();
        inputs.sort_by(|a, b| natural(a).cmp(&natural(b)));
        if inputs.len() > MOST_INPUTS {
            let got = inputs.len();
            return Err(Size::TooLarge { what: "inputs", got, most: MOST_INPUTS }.into());
        }
        let n = inputs.len();
        let place = |name: &String| inputs.iter().position(|other| other == name).unwrap_or(0);
        let column = |j: usize| TruthTable::collect(n, |row| row >> (n - 1 - j) & 1 == 1).words;
        let columns: Vec<Vec<u64>> = names.iter().map(|name| column(place(name))).collect();
        let out = evaluate(&node, n, &columns);
        let truth = TruthTable::collect(n, |row| out[row / 64] >> (row % 64) & 1 == 1);
        Ok(Self { inputs, truth })
    }
}

/// Returns a sort key of a name: pieces of text and number, so that x2 comes before x10.
fn natural(name: &str) -> (Vec<(String, u64)>, &str) {
    let mut pieces = vec![(String::new(), 0_u64)];
    let mut in_number = false;
    for c in name.chars() {
        if in_number && !c.is_ascii_digit() {
            pieces.push((String::new(), 0));
        }
        let last = pieces.len() - 1;
        in_number = c.is_ascii_digit();
        match c.to_digit(10) {
            Some(digit) => {
                pieces[last].1 = pieces[last].1.saturating_mul(10).saturating_add(digit.into());
            }
            None => pieces[last].0.push(c),
        }
    }
    (pieces, name)
}

/// Returns the outputs of a node for all rows; bits beyond the last row are arbitrary.
fn evaluate(node: &Node, n: usize, columns: &[Vec<u64>]) -> Vec<u64> {
    let length = (1_usize << n).div_ceil(64);
    match node {
        Node::Constant(value) => vec![if *value { u64::MAX } else { 0 }; length],
        Node::Input(at) => columns[*at].clone(),
        Node::Not(inner) => evaluate(inner, n, columns).into_iter().map(|w| !w).collect(),
        Node::Call(function, least, arguments) => {
            let all: Vec<Vec<u64>> = arguments.iter().map(|a| evaluate(a, n, columns)).collect();
            (0..length).map(|w| combine(*function, *least, &all, w)).collect()
        }
    }
}

/// Returns word w of a function's outputs.
fn combine(function: Function, least: u64, all: &[Vec<u64>], w: usize) -> u64 {
    let words = all.iter().map(|argument| argument[w]);
    match function {
        Function::And => words.fold(u64::MAX, |a, b| a & b),
        Function::Or => words.fold(0, |a, b| a | b),
        Function::Xor => words.fold(0, |a, b| a ^ b),
        Function::Nand => !words.fold(u64::MAX, |a, b| a & b),
        Function::Nor => !words.fold(0, |a, b| a | b),
        Function::Xnor => !words.fold(0, |a, b| a ^ b),
        Function::If => all[0][w] & all[1][w] | !all[0][w] & all[2][w],
        Function::Majority => counted(all, w, all.len() as u64 / 2 + 1),
        Function::AtLeast => counted(all, w, least),
    }
}

fn counted(all: &[Vec<u64>], w: usize, least: u64) -> u64 {
    let enough = |bit: &u32| all.iter().filter(|a| a[w] >> bit & 1 == 1).count() as u64 >= least;
    (0..64).filter(enough).fold(0, |word, bit| word | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> String {
        Expression::parse(text).unwrap().truth.bits()
    }

    fn wrong(text: &str) -> (usize, String) {
        match Expression::parse(text).unwrap_err() {
            Error::Expression { column, found, .. } => (column, found),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn operators_follow_their_precedence() {
        assert_eq!(bits("a & b"), "0001");
        assert_eq!(bits("a -> b"), "1101");
        assert_eq!(bits("a = b"), "1001");
        for (short, long) in [
            ("a | b & c", "a | (b & c)"),
            ("a ^ b & c", "a ^ (b & c)"),
            ("a | b ^ c", "a | (b ^ c)"),
            ("!a & b", "(!a) & b"),
            ("a -> b -> c", "a -> (b -> c)"),
            ("a -> b = c", "(a -> b) = c"),
            ("a = b = c", "(a = b) = c"),
            ("!!a | not b", "a or ~b"),
            ("a ∧ ¬b ∨ c → a ↔ b ⊕ c", "((a and (not b) or c) implies a) iff (b xor c)"),
            ("nand(a, b) & nor(b, c) | xnor(a, c)", "!(a & b) & !(b | c) | !(a ^ c)"),
            ("if(a, b, c)", "a & b | !a & c"),
            ("maj(a, b, c)", "a & b | a & c | b & c"),
            ("atleast(2; a, b, c)", "maj(a, b, c)"),
            ("and(a, b, c)", "a && b * c"),
        ] {
            assert_eq!(bits(short), bits(long), "{short}");
        }
        assert_eq!(bits("maj(a,b,c)"), "00010111");
        assert_eq!(
            (bits("1"), bits("x ^ x"), bits("true | y")),
            ("1".into(), "00".into(), "11".into())
        );
    }

    #[test]
    fn inputs_are_in_natural_order() {
        let inputs = |text| Expression::parse(text).unwrap().inputs;
        assert_eq!(inputs("x10 & x2 | x1"), ["x1", "x2", "x10"]);
        assert_eq!(inputs("b & a & a1b2 & a1b10"), ["a", "a1b2", "a1b10", "b"]);
        // The table follows the order of the inputs, not of the text.
        assert_eq!(bits("x2 & !x1"), "0100");
    }

    #[test]
    fn errors_report_the_column() {
        for (text, column, found) in [
            ("", 1, "the end"),
            ("x1 & ", 5, "the end"),
            ("x1 & & x2", 6, "&"),
            ("x1 x2", 4, "x2"),
            ("(x1 | x2", 9, "the end"),
            ("x1)", 3, ")"),
            ("x1 & 2", 6, "2"),
            ("x1 % x2", 4, "'%'"),
            ("é & ?", 5, "'?'"),
            ("f(x)", 1, "f"),
            ("maj & x", 1, "maj"),
            ("maj(x,)", 7, ")"),
            ("if(a, b)", 8, ")"),
            ("if(a, b, c, d)", 11, ","),
            ("atleast(x, y)", 9, "x"),
            ("a -> iff", 6, "iff"),
        ] {
            assert_eq!(wrong(text), (column, found.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn messages_mark_the_column_with_a_caret() {
        let error = Expression::parse("x1 & (x2 | )").unwrap_err();
        let wanted = "column 12: expected an input, a constant, ! or (, found )\n  x1 & (x2 | \
            )\n             ^";
        assert_eq!(error.to_string(), wanted);
        // Long texts are shortened to the part around the error.
        let long = format!("{}\n& b", "a & ".repeat(200));
        let Error::Expression { excerpt, caret, column, .. } =
            Expression::parse(&long).unwrap_err()
        else {
            panic!()
        };
        assert_eq!(
            (column, excerpt.chars().nth(caret - 1), excerpt.lines().count()),
            (802, Some('&'), 1)
        );
    }

    #[test]
    fn depth_and_inputs_are_limited() {
        let deep = "(".repeat(100_000);
        assert!(Expression::parse(&deep[..16_000]).unwrap_err().to_string().contains(
            "depth at \
            most 200"
        ));
        assert!(Expression::parse(&"!".repeat(16_000)).is_err());
        assert!(Expression::parse(&deep).unwrap_err().to_string().contains("characters"));
        let nested = format!("{}a{}", "(".repeat(199), ")".repeat(199));
        assert_eq!(bits(&nested), "01");
        let many: Vec<String> = (0..17).map(|j| format!("x{j}")).collect();
        let error = Expression::parse(&many.join("&")).unwrap_err();
        assert_eq!(error, Size::TooLarge { what: "inputs", got: 17, most: 16 }.into());
    }
}
