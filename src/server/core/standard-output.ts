import { type DestinationStream, pino } from "pino";

/** What a pipe takes whole or not at all, so that lines which are given up leave no half of one behind; bytes. */
const PIPE_BUF = 4096;
/** Lines that wait for a slow reader, bytes. */
const MOST_WAITING = 4 * 1024 * 1024;
/** A reader that has taken nothing for so long is not waited for: the server could never stop. Milliseconds. */
const PATIENCE = 3_000;

/**
 * Stdout, which drops what its disk is too full for, or its reader too slow, and goes on with the next line. An error that nobody hears
 * would be an uncaught exception, whose line fails as well, and so on for ever; one that is only heard would be tried again for ever at
 * the exit. `onMended` is told how many lines were lost, when one is taken again.
 */
export function standardOutput(onMended: (lost: number) => void = () => undefined): DestinationStream {
  let waiting = 0;
  let lost = 0;
  let refusedSince: number | null = null;
  let output = open();

  function open() {
    const opened = pino.destination({ dest: 1, maxWrite: PIPE_BUF, maxLength: MOST_WAITING, retryEAGAIN: isPatient });
    opened.on("write", () => {
      refusedSince = null;
    });
    opened.on("drop", () => {
      waiting -= 1;
      lost += 1;
    });
    opened.on("drain", () => {
      waiting = 0;
      if (lost === 0) return;
      const told = lost;
      lost = 0;
      onMended(told);
    });
    opened.once("error", (error: NodeJS.ErrnoException) => {
      // Nobody reads any more, ever: pino has silenced it.
      if (error.code === "EPIPE") return;
      lost += waiting;
      waiting = 0;
      opened.destroy();
      output = open();
    });
    return opened;
  }

  /** Asked again and again, a pause between, while the reader takes nothing. */
  function isPatient(): boolean {
    refusedSince ??= performance.now();
    return performance.now() - refusedSince < PATIENCE;
  }

  return {
    write(line) {
      waiting += 1;
      output.write(line);
    },
  };
}
