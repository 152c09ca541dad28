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
//!
//! The parser is a recursive descent, with one function per level of precedence. Its depth is
//! limited to [`DEEPEST`] for any text.
//!
//! Over 400 lines: tokens, parser and evaluation of one grammar, with their tests.

use super::truth::{MOST_INPUTS, TruthTable};
use crate::error::Error;

/// Largest nesting depth.
const DEEPEST: usize = 200;
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

/// A named function or operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Majority,
    AtLeast,
    If,
}

const FUNCTIONS: [(&str, Function); 9] = [
    ("and", Function::And),
    ("or", Function::Or),
    ("xor", Function::Xor),
    ("nand", Function::Nand),
    ("nor", Function::Nor),
    ("xnor", Function::Xnor),
    ("maj", Function::Majority),
    ("atleast", Function::AtLeast),
    ("if", Function::If),
];

enum Node {
    Constant(bool),
    Input(usize),
    Not(Box<Node>),
    /// A function of its arguments, or an operator between two; the number is that of `atleast`.
    Call(Function, u64, Vec<Node>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a str),
    Number(&'a str),
    Open,
    Close,
    Comma,
    Not,
    And,
    Xor,
    Or,
    Implies,
    Same,
}

/// Operators; longer ones before their prefixes.
const SIGNS: [(&str, Token<'static>); 26] = [
    ("<->", Token::Same),
    ("<=>", Token::Same),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("==", Token::Same),
    ("&&", Token::And),
    ("||", Token::Or),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
    (";", Token::Comma),
    ("!", Token::Not),
    ("~", Token::Not),
    ("¬", Token::Not),
    ("&", Token::And),
    ("*", Token::And),
    ("·", Token::And),
    ("∧", Token::And),
    ("^", Token::Xor),
    ("⊕", Token::Xor),
    ("|", Token::Or),
    ("+", Token::Or),
    ("∨", Token::Or),
    ("→", Token::Implies),
    ("=", Token::Same),
    ("↔", Token::Same),
];

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(Error::TooLarge { what: "characters", got: length, most: LONGEST });
        }
        let tokens = tokens(text)?;
        let mut parser = Parser { text, tokens, at: 0, names: Vec::new(), depth: 0 };
        let node = parser.same()?;
        if parser.at < parser.tokens.len() {
            return Err(parser.wrong("an operator (& ^ | -> =) or the end"));
        }
        // Names in natural order; nodes refer to them by first appearance.
        let mut inputs = parser.names.clone();
        inputs.sort_by(|a, b| natural(a).cmp(&natural(b)));
        if inputs.len() > MOST_INPUTS {
            return Err(Error::TooLarge { what: "inputs", got: inputs.len(), most: MOST_INPUTS });
        }
        let n = inputs.len();
        let place = |name: &String| inputs.iter().position(|other| other == name).unwrap_or(0);
        let places: Vec<usize> = parser.names.iter().map(place).collect();
        let columns: Vec<Vec<u64>> =
            places.iter().map(|&j| words(n, |row| row >> (n - 1 - j) & 1 == 1)).collect();
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

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Splits the text into tokens, each with its column, from 1.
fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, Error> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let (length, token) = if c.is_whitespace() {
            (c.len_utf8(), None)
        } else if let Some((sign, token)) = sign {
            (sign.len(), Some(*token))
        } else if is_name(c) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            (end, Some(if c.is_numeric() { Token::Number(word) } else { keyword(word) }))
        } else {
            let want = "an input, a constant, an operator or a parenthesis";
            return Err(fault(text, column, &format!("{c:?}"), want));
        };
        tokens.extend(token.map(|token| (token, column)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn keyword(word: &str) -> Token<'_> {
    match word {
        "not" => Token::Not,
        word => Token::Word(word),
    }
}

/// Builds an error with a one-line excerpt around a column of the text, and the position of the
/// column in it.
fn fault(text: &str, column: usize, found: &str, want: &'static str) -> Error {
    const AROUND: usize = 60;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let first = column.saturating_sub(AROUND);
    let mut excerpt: String = text.chars().skip(first).take(2 * AROUND).map(plain).collect();
    let mut caret = column - first;
    if first > 0 {
        excerpt.insert(0, '…');
        caret += 1;
    }
    if text.chars().count() > first + 2 * AROUND {
        excerpt.push('…');
    }
    let mut found: String = found.chars().take(AROUND).map(plain).collect();
    if found.is_empty() {
        found.push(' ');
    }
    Error::Expression { excerpt, caret, column, found, want }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    /// Inputs in order of first appearance.
    names: Vec<String>,
    depth: usize,
}

const OPERAND: &str = "an input, a constant, ! or (";

impl<'a> Parser<'a> {
    fn look(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).map(|(token, _)| *token)
    }

    /// Consumes the next token if it is the wanted one; returns whether it was.
    fn takes(&mut self, wanted: Token<'_>) -> bool {
        let there = self.look() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    /// Consumes the next token if it is an operator, as a sign or as a word.
    fn operator(&mut self, sign: Token<'_>, word: &str) -> bool {
        self.takes(sign) || self.takes(Token::Word(word))
    }

    /// Returns an error for the next token.
    fn wrong(&self, want: &'static str) -> Error {
        let Some((_, column)) = self.tokens.get(self.at) else {
            let end = self.text.trim_end().chars().count() + 1;
            return fault(self.text, end, "the end", want);
        };
        // The source text up to the next token.
        let next = self.tokens.get(self.at + 1).map_or(usize::MAX, |(_, next)| *next);
        let own = self.text.chars().skip(column - 1).take(next - column);
        fault(self.text, *column, own.collect::<String>().trim_end(), want)
    }

    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEEPEST {
            return Err(self.wrong("an expression of nesting depth at most 200"));
        }
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        done
    }

    fn same(&mut self) -> Result<Node, Error> {
        let mut left = self.implies()?;
        while self.operator(Token::Same, "iff") {
            let right = self.implies()?;
            left = Node::Call(Function::Xnor, 0, vec![left, right]);
        }
        Ok(left)
    }

    fn implies(&mut self) -> Result<Node, Error> {
        let left = self.or()?;
        if self.operator(Token::Implies, "implies") {
            let right = self.deeper(Self::implies)?;
            return Ok(Node::Call(Function::Or, 0, vec![Node::Not(Box::new(left)), right]));
        }
        Ok(left)
    }

    /// Parses operands separated by operators of one kind.
    fn many(
        &mut self,
        (sign, word, function): (Token<'_>, &str, Function),
        operand: fn(&mut Self) -> Result<Node, Error>,
    ) -> Result<Node, Error> {
        let first = operand(self)?;
        let mut all = vec![first];
        while self.operator(sign, word) {
            all.push(operand(self)?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Node::Call(function, 0, all),
        })
    }

    fn or(&mut self) -> Result<Node, Error> {
        self.many((Token::Or, "or", Function::Or), Self::xor)
    }

    fn xor(&mut self) -> Result<Node, Error> {
        self.many((Token::Xor, "xor", Function::Xor), Self::and)
    }

    fn and(&mut self) -> Result<Node, Error> {
        self.many((Token::And, "and", Function::And), Self::operand)
    }

    fn operand(&mut self) -> Result<Node, Error> {
        let token = self.look();
        match token {
            Some(Token::Not) => {
                self.at += 1;
                Ok(Node::Not(Box::new(self.deeper(Self::operand)?)))
            }
            Some(Token::Open) => {
                self.at += 1;
                let inside = self.deeper(Self::same)?;
                if !self.takes(Token::Close) {
                    return Err(self.wrong("an operator (& ^ | -> =) or )"));
                }
                Ok(inside)
            }
            Some(Token::Number(digits)) => {
                let value = match digits {
                    "0" => false,
                    "1" => true,
                    _ => return Err(self.wrong("0, 1 or a name that begins with a letter")),
                };
                self.at += 1;
                Ok(Node::Constant(value))
            }
            Some(Token::Word(word)) => self.word(word),
            _ => Err(self.wrong(OPERAND)),
        }
    }

    /// Parses a constant, a function or an input.
    fn word(&mut self, word: &str) -> Result<Node, Error> {
        if let Some(value) = [("true", true), ("false", false)].iter().find(|(w, _)| *w == word) {
            self.at += 1;
            return Ok(Node::Constant(value.1));
        }
        let open = self.tokens.get(self.at + 1).map(|(token, _)| *token) == Some(Token::Open);
        let known = FUNCTIONS.iter().find(|(name, _)| *name == word);
        match known {
            Some((_, function)) if open => self.deeper(|parser| parser.call(*function)),
            Some(_) => Err(self.wrong("an operand: the name of a function stands before (")),
            None if open => Err(self.wrong(
                "and, or, xor, nand, nor, xnor, maj, atleast or if before (, or an operator after an input,",
            )),
            None if matches!(word, "implies" | "iff") => Err(self.wrong(OPERAND)),
            None => {
                self.at += 1;
                let at = self.names.iter().position(|name| name == word);
                Ok(Node::Input(at.unwrap_or_else(|| {
                    self.names.push(word.to_owned());
                    self.names.len() - 1
                })))
            }
        }
    }

    /// Parses a function's name, (, arguments, ).
    fn call(&mut self, function: Function) -> Result<Node, Error> {
        self.at += 2; // already checked by `word`
        let mut least = 0;
        if function == Function::AtLeast {
            let number = match self.look() {
                Some(Token::Number(digits)) => digits.parse().ok(),
                _ => None,
            };
            least = number.ok_or_else(|| self.wrong("a whole number of arguments"))?;
            self.at += 1;
            if !self.takes(Token::Comma) {
                return Err(self.wrong("a comma"));
            }
        }
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.same()?);
            let three = function == Function::If && arguments.len() == 3;
            if !three && self.takes(Token::Comma) {
                continue;
            }
            if function == Function::If && arguments.len() < 3 {
                return Err(self.wrong("a comma (if takes three arguments)"));
            }
            if self.takes(Token::Close) {
                return Ok(Node::Call(function, least, arguments));
            }
            return Err(self.wrong(if three { ")" } else { "a comma or )" }));
        }
    }
}

fn words(n: usize, output: impl Fn(usize) -> bool) -> Vec<u64> {
    let rows = 1_usize << n;
    let word = |w: usize| {
        let bits = (64 * w..rows.min(64 * w + 64)).filter(|&row| output(row));
        bits.fold(0, |word, row| word | 1 << (row % 64))
    };
    (0..rows.div_ceil(64)).map(word).collect()
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
        assert_eq!(error, Error::TooLarge { what: "inputs", got: 17, most: 16 });
    }
}
