//! Options with several values: repeated, or separated by commas.

use std::str::FromStr;

/// Values of one occurrence of an option. A value with a comma is quoted as in CSV: `"a,b",c`.
#[derive(Clone, Debug, PartialEq)]
pub struct List(Vec<String>);

impl FromStr for List {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut values = vec![String::new()];
        let mut letters = text.chars().peekable();
        loop {
            let value = values.last_mut().expect("values starts with one element");
            if letters.next_if_eq(&'"').is_some() {
                loop {
                    match letters.next() {
                        Some('"') if letters.next_if_eq(&'"').is_some() => value.push('"'),
                        Some('"') => break,
                        Some(c) => value.push(c),
                        None => return Err("expected a closing quote".to_owned()),
                    }
                }
            }
            while let Some(c) = letters.next_if(|c| *c != ',') {
                value.push(c);
            }
            if letters.next().is_none() {
                break;
            }
            values.push(String::new());
        }
        if values.iter().any(String::is_empty) {
            return Err("expected a value between commas, found none".to_owned());
        }
        Ok(Self(values))
    }
}

/// All values of an option.
pub fn all(lists: &[List]) -> Vec<String> {
    lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_unless_quoted() {
        let list = |text: &str| text.parse::<List>().map(|list| list.0);
        assert_eq!(list("a"), Ok(vec!["a".to_owned()]));
        assert_eq!(list("a,b c").unwrap(), ["a", "b c"]);
        assert_eq!(list("\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(list("\"say \"\"x\"\"\",y").unwrap(), ["say \"x\"", "y"]);
        assert_eq!(list("a\"b").unwrap(), ["a\"b"]);
        for wrong in ["", "a,", ",a", "\"a"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
    }
}
