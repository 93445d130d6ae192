;; A command that does nothing: what the runtime takes for itself.
(component
  (core module $module
    (func (export "run") (result i32) (i32.const 0)))
  (core instance $core (instantiate $module))
  (func $run (result (result)) (canon lift (core func $core "run")))
  (instance $exported (export "run" (func $run)))
  (export "wasi:cli/run@0.2.12" (instance $exported)))
