import type { Duplex } from "node:stream";

/** Bytes that are held back at most. */
const MOST = 64 * 1024;

export interface Cork {
  /** Before something is sent: holds it back until whatever is ready together has been sent, so that it leaves in one piece. */
  hold(): void;
}

/** A stream delivers many events one right after the other; to write each by itself is most of what that costs. */
export function createCork(connection: Duplex): Cork {
  let isHeld = false;

  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    connection.uncork();
  }

  return {
    hold() {
      if (isHeld && connection.writableLength > MOST) release();
      if (isHeld) return;
      isHeld = true;
      connection.cork();
      // After all that is ready now.
      process.nextTick(release);
    },
  };
}
