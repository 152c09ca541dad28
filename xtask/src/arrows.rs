//! Directions of the dependencies between the crates of linsep: towards the mathematics only.
//!
//! Dependencies of tests and of build scripts count, too.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Each crate of `crates/`, and the crates of linsep that it may use.
const ALLOWED: [(&str, &[&str]); 7] = [
    ("linsep-core", &[]),
    ("linsep-io", &["linsep-core"]),
    ("linsep-logic", &["linsep-core"]),
    ("linsep", &["linsep-core", "linsep-io", "linsep-logic"]),
    ("linsep-plot", &[]),
    ("linsep-report", &["linsep", "linsep-plot"]),
    ("linsep-cli", &["linsep", "linsep-plot", "linsep-report"]),
];

/// Dependencies in other directions, and crates without a rule.
pub(crate) fn arrows() -> Result<Vec<String>, String> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--no-deps", "--locked", "--format-version", "1"]);
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    faults(&metadata).ok_or_else(|| format!("{command:?}: expected packages with dependencies"))
}

/// The faults of `cargo metadata`; `None` if it is of another form.
fn faults(metadata: &Value) -> Option<Vec<String>> {
    let packages = metadata["packages"].as_array()?;
    let crates = Path::new(metadata["workspace_root"].as_str()?).join("crates");
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str()?;
        let manifest = package["manifest_path"].as_str()?;
        let rule = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name);
        let Some((_, allowed)) = rule else {
            if Path::new(manifest).starts_with(&crates) {
                faults.push(format!("{name}: a crate without a rule in xtask/src/arrows.rs"));
            }
            continue;
        };
        found.push(name);
        for dependency in package["dependencies"].as_array()? {
            let other = dependency["name"].as_str()?;
            // A path leads to the crates of this workspace only.
            if !dependency["path"].is_null() && !allowed.contains(&other) {
                let kind =
                    dependency["kind"].as_str().map_or(String::new(), |kind| format!("{kind}-"));
                faults.push(format!("{name}: {kind}dependency on {other}; allowed: {allowed:?}"));
            }
        }
    }
    let missing = ALLOWED.iter().filter(|(name, _)| !found.contains(name));
    faults.extend(missing.map(|(name, _)| format!("{name}: no such crate in the workspace")));
    Some(faults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of all crates without dependencies, but for one.
    fn workspace(name: &str, dependency: &Value) -> Value {
        let packages = ALLOWED.iter().map(|(crate_name, _)| {
            let dependencies = if *crate_name == name { vec![dependency] } else { vec![] };
            json!({
                "name": crate_name, "dependencies": dependencies,
                "manifest_path": format!("/w/crates/{crate_name}/Cargo.toml"),
            })
        });
        json!({ "workspace_root": "/w", "packages": packages.collect::<Vec<_>>() })
    }

    #[test]
    fn dependencies_point_in_the_allowed_directions() {
        let on = |name: &str, kind: Value| json!({ "name": name, "path": "/w", "kind": kind });
        for (name, other, kind, count) in [
            ("linsep-io", "linsep-core", Value::Null, 0),
            ("linsep-core", "linsep-io", Value::Null, 1),
            ("linsep-core", "linsep", json!("dev"), 1),
            ("linsep-cli", "linsep-core", Value::Null, 1),
            ("linsep-plot", "linsep-core", json!("build"), 1),
        ] {
            let found = faults(&workspace(name, &on(other, kind))).unwrap();
            assert_eq!(found.len(), count, "{name} on {other}: {found:?}");
        }
        let registry = json!({ "name": "serde", "path": null, "kind": null });
        assert_eq!(faults(&workspace("linsep-core", &registry)), Some(vec![]));
    }

    #[test]
    fn every_crate_has_a_rule() {
        let mut metadata = workspace("linsep", &json!({ "name": "serde", "path": null }));
        metadata["packages"][0]["name"] = "linsep-new".into();
        metadata["packages"][0]["manifest_path"] = "/w/crates/linsep-new/Cargo.toml".into();
        let found = faults(&metadata).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
