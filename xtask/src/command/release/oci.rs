//! A component as an artifact of an OCI registry, in the form that `wkg`, `oras` and hosts of components read: a layout
//! that any tool for OCI pushes as it is.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use wit_component::DecodedWasm;

use crate::stamp;

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// The two of the form for components.
const CONFIG: &str = "application/vnd.wasm.config.v0+json";
const LAYER: &str = "application/wasm";

/// Writes the layout of one component, under the tag of its version, into an empty folder.
///
/// Returns the digest of its manifest, in hexadecimal digits, by which a registry knows it.
pub(super) fn write(component: &Path, version: &str, layout: &Path) -> Result<String> {
    let wasm =
        fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let (imports, exports) = interfaces(&wasm)?;
    let config = json!({
        // The bytes follow from the component alone.
        "created": "1970-01-01T00:00:00Z",
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [format!("sha256:{}", stamp::sha256(&wasm))],
        "component": { "imports": imports, "exports": exports, "target": null },
    });
    let blobs = layout.join("blobs/sha256");
    fs::create_dir_all(&blobs).with_context(|| format!("cannot make {}", blobs.display()))?;
    let config = blob(&blobs, CONFIG, config.to_string().as_bytes())?;
    let layer = blob(&blobs, LAYER, &wasm)?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [layer],
        "annotations": {
            "org.opencontainers.image.version": version,
            "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
        },
    });
    let manifest = manifest.to_string();
    let digest = stamp::sha256(manifest.as_bytes());
    let mut manifest = blob(&blobs, MANIFEST, manifest.as_bytes())?;
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": version });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest] });
    fs::write(layout.join("index.json"), index.to_string())?;
    fs::write(
        layout.join("oci-layout"),
        r#"{"imageLayoutVersion":"1.0.0"}"#,
    )?;
    Ok(digest)
}

/// Stores a blob under its digest, and returns its descriptor.
fn blob(blobs: &Path, media_type: &str, bytes: &[u8]) -> Result<Value> {
    let digest = stamp::sha256(bytes);
    fs::write(blobs.join(&digest), bytes)?;
    Ok(
        json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": bytes.len() }),
    )
}

/// The names of the interfaces that a component imports and exports.
fn interfaces(wasm: &[u8]) -> Result<(Vec<String>, Vec<String>)> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(wasm)? else {
        anyhow::bail!("it is no component");
    };
    let world = &resolve.worlds[world];
    let imports = world.imports.keys().map(|key| resolve.name_world_key(key));
    let exports = world.exports.keys().map(|key| resolve.name_world_key(key));
    Ok((imports.collect(), exports.collect()))
}
