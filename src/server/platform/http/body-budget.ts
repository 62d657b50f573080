import { AppError } from "../errors.ts";
import { networkOf } from "../network-of.ts";

/** Bytes of request bodies that one process holds while it reads them. */
export const MAX_BYTES_BEING_READ = 64 * 1024 * 1024;
/** Of these, the bytes of one address. */
export const MAX_BYTES_OF_ADDRESS = MAX_BYTES_BEING_READ / 4;
/** Of these, the bytes of everybody who has not signed in. */
const MAX_BYTES_OF_STRANGERS = (MAX_BYTES_BEING_READ * 3) / 4;
const RETRY_SECONDS = 1;

export interface BodySender {
  readonly ip: string;
  /** Whether the session was checked before the body is read. */
  readonly isSignedIn: boolean;
}

/** A body that is being read. Disposing of it gives its bytes back. */
export interface ReservedBody extends Disposable {
  /** Counts bytes that have arrived. Throws UNAVAILABLE when they are too many. */
  add(bytes: number): void;
}

/**
 * Bounds the memory that bodies take while they arrive.
 *
 * Only bytes that have arrived count. A length that is announced costs its sender nothing, so a few
 * connections could otherwise reserve everything and send nothing. One address, as `networkOf`
 * says, holds at most a quarter, so that one sender of real bytes leaves room for the others. All
 * who have not signed in hold at most three quarters, so that a crowd of strangers keeps nobody
 * from work.
 */
export class BodyBudget {
  #total = 0;
  #ofStrangers = 0;
  readonly #byAddress = new Map<string, number>();

  open({ ip, isSignedIn }: BodySender): ReservedBody {
    const address = networkOf(ip);
    let held = 0;
    return {
      add: (bytes) => {
        if (!this.#hasRoom(bytes, address, isSignedIn)) {
          throw new AppError("UNAVAILABLE", undefined, { retryAfter: RETRY_SECONDS });
        }
        held += bytes;
        this.#count(bytes, address, isSignedIn);
      },
      [Symbol.dispose]: () => {
        this.#count(-held, address, isSignedIn);
        held = 0;
      },
    };
  }

  #hasRoom(bytes: number, address: string, isSignedIn: boolean): boolean {
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (this.#total + bytes > MAX_BYTES_BEING_READ) return false;
    if (ofAddress + bytes > MAX_BYTES_OF_ADDRESS) return false;
    return isSignedIn || this.#ofStrangers + bytes <= MAX_BYTES_OF_STRANGERS;
  }

  #count(bytes: number, address: string, isSignedIn: boolean): void {
    this.#total += bytes;
    if (!isSignedIn) this.#ofStrangers += bytes;

    const ofAddress = (this.#byAddress.get(address) ?? 0) + bytes;
    if (ofAddress > 0) this.#byAddress.set(address, ofAddress);
    else this.#byAddress.delete(address);
  }
}
