//! Methods in a comparison.
//!
//! The methods are every method of the registry with its default settings, the remaining losses,
//! and the penalties of logistic regression. With more than two classes, alternatives to the
//! default schemes are added. A new method, loss or penalty takes part as soon as it is registered.
//! The first is a **baseline** that ignores the features: a method that is no better has learned
//! nothing from them.

use crate::error::Error;
use crate::learner::{self, Learner, Majority, Scheme};
use crate::options::{Loss, Options, Penalty};

/// A method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Name in the comparison.
    pub name: String,
    /// Name of the method.
    pub method: &'static str,
    /// Settings other than the defaults of the method.
    pub options: Options,
}

/// Name of the baseline.
pub const BASELINE: &str = "majority";

impl Contender {
    fn new(name: impl Into<String>, method: &'static str, options: Options) -> Self {
        Self { name: name.into(), method, options }
    }

    /// Builds the learner.
    pub fn learner(&self) -> Result<Box<dyn Learner>, Error> {
        if self.method == BASELINE {
            return Ok(Box::new(Majority));
        }
        learner::by_name(self.method, &self.options)
    }
}

/// All contenders for this number of classes, the baseline first.
pub fn contenders(classes: usize) -> Vec<Contender> {
    let mut all = vec![Contender::new(BASELINE, BASELINE, Options::default())];
    // `convex` without a loss is logistic regression; its other losses follow below.
    let methods = learner::ALL.iter().filter(|entry| entry.name != "convex");
    all.extend(methods.map(|entry| Contender::new(entry.name, entry.name, Options::default())));
    let ridge = Options { loo: Some(true), ..Options::default() };
    all.push(Contender::new("ridge", "least-squares", ridge));
    for penalty in Penalty::ALL.into_iter().filter(|penalty| penalty.unit().l1 > 0.0) {
        let options = Options { penalty: Some(penalty), ..Options::default() };
        all.push(Contender::new(format!("logistic-{}", penalty.name()), "logistic", options));
    }
    for loss in Loss::ALL.into_iter().filter(|loss| loss.function().method().is_none()) {
        let options = Options { loss: Some(loss), ..Options::default() };
        all.push(Contender::new(loss.name(), "convex", options));
    }
    if classes > 2 {
        let of = |scheme| Options { multiclass: Some(scheme), ..Options::default() };
        for method in ["logistic", "perceptron"] {
            let (scheme, name) = (Scheme::OneVsRest, format!("{method}-one-vs-rest"));
            all.push(Contender::new(name, method, of(scheme)));
        }
        let joint = Scheme::CrammerSinger;
        all.push(Contender::new(joint.name(), "svm", of(joint)));
    }
    all
}

/// Contenders of these names, the baseline first; all contenders if no name is given.
pub fn pick(names: &[String], classes: usize) -> Result<Vec<Contender>, Error> {
    let all = contenders(classes);
    if let Some(got) = names.iter().find(|name| all.iter().all(|one| one.name != **name)) {
        let known = all.iter().map(|one| one.name.clone()).collect();
        return Err(Error::UnknownContender { got: got.clone(), known });
    }
    let wanted =
        |one: &Contender| names.is_empty() || one.name == BASELINE || names.contains(&one.name);
    Ok(all.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contender_builds_a_learner_and_has_a_unique_name() {
        for k in [2, 5] {
            let all = contenders(k);
            for one in &all {
                assert_eq!(one.learner().unwrap().name(), one.method);
            }
            let mut names: Vec<&String> = all.iter().map(|one| &one.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all.len());
            for entry in learner::ALL.iter().filter(|entry| entry.name != "convex") {
                assert!(all.iter().any(|one| one.name == entry.name), "{}", entry.name);
            }
        }
        assert_eq!(contenders(3).len(), contenders(2).len() + 3);
    }

    #[test]
    fn contenders_are_selected_by_name() {
        let some = pick(&["svm".to_owned(), "logistic".to_owned()], 2).unwrap();
        let names: Vec<&str> = some.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["majority", "logistic", "svm"]);
        let message = pick(&["softmax".to_owned()], 2).unwrap_err().to_string();
        assert!(message.contains("softmax") && message.contains("logistic-l1"), "{message}");
    }
}
