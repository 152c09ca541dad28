//! A step may read several columns, and a column may be read by several steps.

use super::{Scaling, encode, learn, rows};
use crate::error::Error;
use crate::explain::{Cell, Explain};
use crate::model_file::{Header, ModelFile};
use crate::recipe::step::{Cells, Encoder, Step, StepKind, load};
use crate::recipe::{MissingPolicy, RecipeSettings};
use crate::scoring::SelectedRow;
use linsep_core::{DecisionRule, Hyperplane, Label, LinearModel};
use linsep_io::csv::Force;
use linsep_io::input::Input;
use serde::{Deserialize, Serialize};

/// The product of two numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    columns: Vec<String>,
}

const KIND: StepKind = StepKind {
    name: "product",
    adjective: "numeric",
    title: "Products",
    learn: |_, _, _| None,
    load: load::<Product>,
};

impl Step for Product {
    fn kind(&self) -> &'static StepKind {
        &KIND
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn reads(&self) -> Force {
        Force::Numeric
    }

    fn width(&self) -> usize {
        1
    }

    fn feature(&self, _: usize) -> String {
        self.columns.join("·")
    }

    fn encoder<'a>(&'a self, cells: &Cells<'a>, _: Scaling) -> Result<Encoder<'a>, Error> {
        let (a, b) = (cells.numbers(0)?, cells.numbers(1)?);
        Ok(Box::new(move |rows, out| {
            rows.iter().enumerate().for_each(|(k, &i)| out.put(k, 0, a(i) * b(i)));
        }))
    }
}

#[test]
fn step_reads_several_columns_and_a_column_has_several_steps() {
    let settings = RecipeSettings {
        missing: MissingPolicy::Drop,
        standardize: false,
        ..RecipeSettings::default()
    };
    let (mut recipe, _) = learn("a,b,c,y\n1,2,0,n\n3,4,1,y\n", &settings);
    recipe.steps.push(Box::new(Product { columns: vec!["b".into(), "c".into()] }));
    let columns: Vec<&str> = recipe.columns().into_iter().map(|(name, _)| name).collect();
    assert_eq!(columns, ["a", "b", "c"], "each column is read once");

    // By name, by position, and with a missing cell of one of the columns.
    let named = encode(&recipe, "c,b,a\n5,4,3\n2,,1\n", Scaling::Raw).unwrap();
    assert_eq!(rows(&named.x.unwrap()), [[3.0, 4.0, 5.0, 20.0]]);
    assert_eq!((named.kept, named.counts.missing["b"]), (vec![true, false], 1));
    let by_position = encode(&recipe, "3,4,5\n", Scaling::Raw).unwrap();
    assert_eq!(rows(&by_position.x.unwrap()), [[3.0, 4.0, 5.0, 20.0]]);
    let error = encode(&recipe, "a,b,c\n1,2,x\n", Scaling::Raw).unwrap_err().to_string();
    assert!(error.contains("column 3 (c)"), "{error}");

    // Only a column with a single step has a counterfactual of its own.
    let classes = vec![Label::Text("n".into()), Label::Text("y".into())];
    let hyperplane = Hyperplane { w: vec![1.0; 4], b: 0.5 };
    let model = LinearModel::new(classes, vec![hyperplane], DecisionRule::Sign).unwrap();
    let model = linsep_core::model::Model::from(model);
    let header = Header::new("perceptron", &model, recipe);
    let model_file = ModelFile { model, directions: Vec::new(), header };
    let explain = Explain { model_file: &model_file, against: None, allow: None, most: 9 };
    let input = Input::Table(super::table("a,b,c\n3,4,5\n"));
    let explained = explain.row(&SelectedRow { row: 0, input, label: None }).unwrap().unwrap();
    assert_eq!(explained.score, 32.5);
    let first = &explained.contributions[0];
    assert_eq!((first.name.as_str(), &first.cell), ("b × c", &Cell::Word("4 × 5".into())));
    let changes: Vec<&str> = explained.number_changes.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(changes, ["a"]);
}
