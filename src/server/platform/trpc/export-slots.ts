import { AppError } from "../errors.ts";

/** Exports of one user that a process sends at once. */
const MAX_EXPORTS = 2;
const RETRY_SECONDS = 10;

/**
 * Bounds how many exports a user has under way. An export reads for as long as its caller takes the
 * file, so a few of them would otherwise keep a small database busy for everybody. It is counted
 * by each process for itself: with more replicas a user may have more.
 */
export class ExportSlots {
  readonly #taken = new Map<string, number>();

  /** Disposing gives it back. Throws TOO_MANY_REQUESTS. */
  take(userId: string): Disposable {
    const taken = this.#taken.get(userId) ?? 0;
    if (taken >= MAX_EXPORTS) {
      const message = `同时最多导出 ${MAX_EXPORTS} 份，请等其中一份完成后重试`;
      throw new AppError("TOO_MANY_REQUESTS", message, { retryAfter: RETRY_SECONDS });
    }

    this.#taken.set(userId, taken + 1);
    return { [Symbol.dispose]: () => this.#giveBack(userId) };
  }

  #giveBack(userId: string): void {
    const left = (this.#taken.get(userId) ?? 1) - 1;
    if (left === 0) this.#taken.delete(userId);
    else this.#taken.set(userId, left);
  }
}
