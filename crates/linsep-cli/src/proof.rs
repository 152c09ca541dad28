//! What is proved of an answer, in words: what `fit`, its report page and `show` share.

use crate::text::{
    lower_apart, lower_sum, number, share_floor, small, upper_apart, upper_percent, upper_small,
    upper_sum,
};
use linsep_io::Recipe;
use linsep_io::bundle::Proof;

/// One line of what it means, one of the numbers; none where nothing was minimised.
pub fn lines(proofs: &[Proof], recipe: &Recipe) -> Vec<String> {
    if proofs.is_empty() {
        return Vec::new();
    }
    let all = |of: fn(&Proof) -> Option<f64>| proofs.iter().map(of).collect::<Option<Vec<f64>>>();
    let value = upper_sum(&proofs.iter().map(|proof| proof.primal).collect::<Vec<f64>>());
    let criterion = if proofs.len() > 1 { "the planes' criteria add up to" } else { "criterion" };
    if let Some(gradients) = all(|proof| proof.gradient) {
        let most = gradients.into_iter().fold(0.0, f64::max);
        return vec![format!(
            "without a penalty no bound exists; the gradient is {}, where 1 is what it is at zero weights (if it is not 0 there); \
             {criterion} {}",
            small(most),
            number(value)
        )];
    }
    let (Some(relative), Some(bounds), Some(gaps)) =
        (all(|proof| proof.relative_gap), all(|proof| proof.dual), all(|proof| proof.gap))
    else {
        return vec![format!("no bound is known; {criterion} {}", number(value))];
    };
    let relative = relative.into_iter().fold(0.0, f64::max);
    let mut meaning = format!("the optimum is at most {} below this", upper_percent(relative));
    if let Some(proved) = all(|proof| proof.proved) {
        let least = proved.into_iter().fold(1.0, f64::min);
        meaning += &format!(
            "; {} of the training predictions provably equal those of the exact optimum",
            share_floor(least)
        );
    }
    let (bound, gap) = (lower_sum(&bounds), upper_sum(&gaps));
    let mut numbers = format!(
        "{criterion} {}, and nothing is below {} (gap {})",
        upper_apart(value, gap),
        lower_apart(bound, gap),
        upper_small(gap)
    );
    if let Some(radii) = all(|proof| proof.radius) {
        let most = radii.into_iter().fold(0.0, f64::max);
        let units = match recipe {
            Recipe::Table(table) if table.standardised => "standardised columns",
            _ => "the units of the data",
        };
        let (whose, of) = match proofs.len() {
            1 => ("the weights", "the exact optimum's"),
            _ => ("each plane's weights", "its exact optimum's"),
        };
        numbers += &format!("; {whose} lie within {} of {of}, in {units}", upper_small(most));
    }
    vec![meaning, numbers]
}
