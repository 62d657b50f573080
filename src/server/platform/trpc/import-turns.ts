import { AppError } from "../errors.ts";

/**
 * One import of a kind at a time writes in a process, so that of a double click the second does not
 * race with the first. Between processes the rows themselves decide: each is compared once more
 * when somebody else has changed it meanwhile.
 */
export class ImportTurns {
  readonly #taken = new Set<string>();

  /** `kind` is the procedure. Disposing gives the turn back. Throws STATE_CONFLICT. */
  take(kind: string): Disposable {
    if (this.#taken.has(kind)) {
      throw new AppError("STATE_CONFLICT", "另一个导入正在进行，请等它完成后重试");
    }

    this.#taken.add(kind);
    return { [Symbol.dispose]: () => this.#taken.delete(kind) };
  }
}
