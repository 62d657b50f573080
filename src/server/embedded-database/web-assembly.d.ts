/** As much of it as is used here: Node has it all, and its types leave it to those of browsers. */
declare namespace WebAssembly {
  /** Compiled; how far is V8's affair. */
  class Module {
    constructor(source: Uint8Array);
  }
  function compile(source: Uint8Array): Promise<Module>;
}
