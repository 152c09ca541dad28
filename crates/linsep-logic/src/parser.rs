//! Parser of Boolean expressions: from a text to a tree, with the column of any error.
//!
//! The parser is a recursive descent by levels of precedence. Its depth is limited to [`DEEPEST`]
//! for any text.

use crate::error::Error;

/// Largest nesting depth.
const DEEPEST: usize = 200;

/// A named function or operator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
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

/// The associative operators, by increasing precedence.
const ASSOCIATIVE: [(Token<'static>, &str, Function); 3] = [
    (Token::Or, "or", Function::Or),
    (Token::Xor, "xor", Function::Xor),
    (Token::And, "and", Function::And),
];

/// An expression as a tree.
pub(super) enum Node {
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

/// Parses a text; returns its tree, and the names of the inputs in the order of appearance.
pub(super) fn parse(text: &str) -> Result<(Node, Vec<String>), Error> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens, at: 0, names: Vec::new(), depth: 0 };
    let node = parser.same()?;
    if parser.at < parser.tokens.len() {
        return Err(parser.wrong("an operator (& ^ | -> =) or the end"));
    }
    Ok((node, parser.names))
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
        let left = self.associative(0)?;
        if self.operator(Token::Implies, "implies") {
            let right = self.deeper(Self::implies)?;
            return Ok(Node::Call(Function::Or, 0, vec![Node::Not(Box::new(left)), right]));
        }
        Ok(left)
    }

    /// Parses operands separated by associative operators, from this level of precedence on.
    fn associative(&mut self, level: usize) -> Result<Node, Error> {
        let Some(&(sign, word, function)) = ASSOCIATIVE.get(level) else { return self.operand() };
        let mut all = vec![self.associative(level + 1)?];
        while self.operator(sign, word) {
            all.push(self.associative(level + 1)?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Node::Call(function, 0, all),
        })
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
