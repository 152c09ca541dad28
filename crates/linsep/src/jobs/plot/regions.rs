//! Decision regions of a model of two features.
//!
//! Two schemes of the lectures have ambiguous regions: k − 1 hyperplanes, where two of them claim a
//! point, and pairs, where the most votes are tied.

use super::scatter::window;
use super::{PlotEvaluation, Point};
use crate::error::Error;
use crate::labels::LabelMap;
use crate::model_file::ModelFile;
use crate::scoring::Scoring;
use linsep_core::control::{Note, literal};
use linsep_core::model::{Regions, Window};
use linsep_core::{Hyperplane, Label, float};
use linsep_io::input::set_name;
use linsep_io::{ReadOptions, Source};
use serde::{Deserialize, Serialize};

/// Decision regions, with the rows of data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionsPlot {
    /// Names of the axes.
    pub axes: [String; 2],
    /// The method.
    pub method: String,
    /// The multiclass scheme, if there is a choice.
    pub multiclass: Option<String>,
    /// The classes.
    pub classes: Vec<Label>,
    /// Share of the window that each class wins.
    #[serde(with = "float")]
    pub shares: Vec<f64>,
    /// Ambiguous share of the window, if the scheme has ambiguous regions.
    #[serde(with = "float")]
    pub ambiguous: Option<f64>,
    /// Window that contains the rows.
    pub window: Window,
    /// The regions.
    pub regions: Regions,
    /// Rows of each class.
    #[serde(with = "float")]
    pub rows: Vec<Vec<Point>>,
}

impl PlotEvaluation {
    /// Reads the rows and computes the regions of the model.
    pub(super) fn regions(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
    ) -> Result<(RegionsPlot, Vec<Note>), Error> {
        // 1. A model of two features.
        let (header, model) = (&model_file.header, &model_file.linear(&self.model)?);
        let Ok(axes) = <[String; 2]>::try_from(header.recipe.features()) else {
            return Err(Error::Refused(format!(
                "{}: plot regions requires a model of 2 features, found {}. Fit a model of two \
                 columns with `columns`.",
                literal(&self.model),
                model.d()
            )));
        };

        // 2. The rows. Scores of hyperplanes of one unit coefficient each are the features.
        let axis = |w: [f64; 2]| Hyperplane { w: w.to_vec(), b: 0.0 };
        let columns = [axis([1.0, 0.0]), axis([0.0, 1.0])];
        let map = LabelMap::onto(&self.rows.label_map, model.classes())?;
        let scoring = Scoring {
            model_file,
            projection: Some(&columns),
            read,
            labels: true,
            target: self.rows.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        let data = set_name(sources.iter().map(Source::name));
        let (mut rows, mut all) = (vec![Vec::new(); model.k()], Vec::new());
        let mut notes = Vec::new();
        for source in sources {
            notes.extend(scoring.run(source, |batch| {
                let Some(labels) = &batch.labels else { return Ok(()) };
                let mut scores = batch.scores.chunks_exact(2);
                for (i, kept) in batch.kept.iter().enumerate() {
                    let point = if *kept { scores.next() } else { None };
                    if let (Some(point), Some(label)) = (point, labels.get(i)) {
                        let point = (point[0], point[1]);
                        all.push(point);
                        if let Some(c) = model.classes().iter().position(|class| class == label) {
                            rows[c].push(point);
                        }
                    }
                }
                Ok(())
            })?);
        }
        if all.is_empty() {
            return Err(Error::Refused(format!(
                "{}: no row has both features and a class",
                literal(&data)
            )));
        }

        // 3. The regions.
        let window = window(&all);
        let regions = Regions::of(model, &window)?;
        let has_ambiguous = model.decision_rule().has_ambiguous_regions();
        let plot = RegionsPlot {
            axes,
            method: header.method.clone(),
            multiclass: header.multiclass.clone(),
            classes: model.classes().to_vec(),
            shares: (0..).take(model.k()).map(|c| regions.of_class(c)).collect(),
            ambiguous: has_ambiguous.then(|| regions.ambiguous()),
            window,
            regions,
            rows,
        };
        Ok((plot, notes))
    }
}
