import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded by a server under test before its own code (`--import`): collects garbage often, so that the memory of the
 * process is what is in use. By itself V8 keeps tens of MB of garbage, another amount in each run.
 */
const EVERY_MS = 250;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
setInterval(collect, EVERY_MS).unref();
