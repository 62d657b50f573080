import { notify } from "@/lib/notify";
import { countText } from "./result";
import { type BatchEnd, type BatchGroup, useBatch } from "./use-batch";

interface BatchDialogOptions {
  /** What is done to the hosts. */
  readonly label: string;
  /** Where the hosts can be chosen; this page by default. */
  readonly path?: string | undefined;
  /** With the hosts that it failed for and those that it did not reach. */
  readonly onFinished: (unfinishedIds: readonly string[]) => void;
  readonly onOpenChange: (open: boolean) => void;
}

/** A batch in a dialog, which closes by itself when there is nothing to read in the results. */
export function useBatchDialog({ label, path, onFinished, onOpenChange }: BatchDialogOptions) {
  const { state, run, runRest, stop } = useBatch();

  async function follow(running: Promise<BatchEnd>): Promise<void> {
    const { hosts, unfinishedIds, isPlainSuccess } = await running;
    onFinished(unfinishedIds);
    if (!isPlainSuccess) return;

    notify.success(`${label}完成`, { message: countText(hosts) });
    onOpenChange(false);
  }

  return {
    state,
    start: (groups: readonly BatchGroup[]) => void follow(run(label, groups, path)),
    progress: { onStop: stop, onRetry: () => void follow(runRest()) },
  };
}
