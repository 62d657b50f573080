/** The process cannot start as it is set up. The message tells the operator what to do; a stack adds nothing to it. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
