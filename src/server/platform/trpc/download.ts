import type { CsvFile } from "../csv/csv-file.ts";
import type { Caller } from "./caller.ts";
import type { ExportSlots } from "./export-slots.ts";
import { assertStillPermitted, type LiveCallerDeps } from "./live-caller.ts";

interface DownloadDeps extends LiveCallerDeps {
  readonly exportSlots: ExportSlots;
}

interface DownloadOptions {
  /** Whether only the headers are asked for: then nothing is read. */
  readonly isHead: boolean;
}

interface OpenedFile {
  readonly caller: Caller;
  readonly file: CsvFile;
  readonly text: AsyncIterator<string, void>;
  readonly first: IteratorResult<string, void>;
}

/**
 * A file as the answer of a call, from the procedure that makes it to the bridge that sends it.
 *
 * The bridge makes one for a request and disposes of it when the answer has ended, in whatever way.
 * Within the call `open` takes one of the caller's exports and reads the first portion, so that
 * whatever fails until then is an ordinary failure of the call: answered, logged and counted as any
 * other. The rest is read while the file is sent. It holds nothing but its slot between two
 * portions: no transaction and no connection. A template, for which nothing is read, takes none.
 */
export class Download implements Disposable {
  readonly #deps: DownloadDeps;
  readonly #options: DownloadOptions;
  readonly #resources = new DisposableStack();
  #opened: OpenedFile | null = null;

  constructor(deps: DownloadDeps, options: DownloadOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Throws TOO_MANY_REQUESTS, and whatever the first portion throws. */
  async open(caller: Caller, file: CsvFile): Promise<void> {
    if (file.readsRows) this.#resources.use(this.#deps.exportSlots.take(caller.id));

    const text = file.text[Symbol.asyncIterator]();
    const first = this.#options.isHead ? END : await text.next();
    this.#opened = { caller, file, text, first };
  }

  get file(): CsvFile {
    return this.#present().file;
  }

  /**
   * The text of the file, which may be read once. Each portion is for whoever the caller is when it
   * is read: it throws as soon as the session is dead or the role is another one.
   */
  async *read(): AsyncGenerator<string, void, undefined> {
    const { caller, text, first } = this.#present();

    for (let portion = first; portion.done !== true; portion = await text.next()) {
      yield portion.value;
      await assertStillPermitted(this.#deps, caller);
    }
  }

  [Symbol.dispose](): void {
    this.#resources.dispose();
  }

  #present(): OpenedFile {
    if (this.#opened === null) throw new Error("a download is read that was not opened");
    return this.#opened;
  }
}

const END: IteratorResult<string, void> = { done: true, value: undefined };
