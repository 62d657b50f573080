import { StartError } from "../core/start-error.ts";

/** The data directory cannot be used. The message is one Chinese line for the operator; a stack adds nothing to it. */
export class DataDirError extends StartError {
  override readonly name = "DataDirError";
}
