//! Order of the rows in an epoch.

use crate::math::rng::Rng;
use crate::names::names;
use serde::{Deserialize, Serialize};

/// Order in which an epoch visits the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Storage order, in every epoch.
    #[default]
    Cyclic,
    /// A new random order in every epoch, drawn from the seed.
    Random,
}

names!(Order of "`order`" {
    Cyclic => "cyclic",
    Random => "random",
});

/// Row order of successive epochs. Rows of weight 0 are never visited.
pub(crate) struct RowOrder {
    order: Order,
    seed: u64,
    rows: Vec<u32>,
}

impl RowOrder {
    pub(crate) fn new(order: Order, seed: u64, weights: &[f64]) -> Self {
        let weigh = |&i: &u32| weights[i as usize] > 0.0;
        Self { order, seed, rows: (0..weights.len() as u32).filter(weigh).collect() }
    }

    /// Rows of epoch `epoch`. A random epoch shuffles the order of its predecessor, so epochs must
    /// be requested in sequence; the shuffle itself depends on (seed, epoch) alone.
    pub(crate) fn pass(&mut self, epoch: u64) -> &[u32] {
        if self.order == Order::Random {
            Rng::new(self.seed, epoch).shuffle(&mut self.rows);
        }
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels, Problem};

    #[test]
    fn an_epoch_visits_every_row_of_positive_weight_once() {
        let x = Design::dense(4, 1, vec![0.0; 4]).unwrap();
        let labels = Labels::parse(["a", "b", "a", "b"]);
        let problem = Problem::new(&x, &labels, Some(vec![1.0, 0.5, 0.0, 2.0])).unwrap();
        assert_eq!(RowOrder::new(Order::Cyclic, 0, problem.weights()).pass(5), [0, 1, 3]);
        let mut random = RowOrder::new(Order::Random, 0, problem.weights());
        let orders: Vec<Vec<u32>> = (0..20).map(|t| random.pass(t).to_vec()).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 3]);
        }
        assert!(orders.iter().any(|o| *o != orders[0]), "not always the same order");
    }
}
