import { useSyncExternalStore } from "react";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";

/** How many rows of a file have arrived. */
export class ReceivedRows {
  #count = 0;
  readonly #listeners = new Set<() => void>();

  readonly get = (): number => this.#count;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(count: number): void {
    this.#count = count;
    for (const listener of this.#listeners) listener();
  }
}

type ExportProgressProps = {
  received: ReceivedRows;
  /** How many rows the list had when the export began; null where it is not known. */
  total: number | null;
};

/**
 * The inside of the toast of a running export. The toast is a live region, and is read once: a
 * number that changes all the time is not.
 */
export function ExportProgress({ received, total }: ExportProgressProps) {
  const count = useSyncExternalStore(received.subscribe, received.get);
  const text = progressText(count, total);

  return (
    <div aria-live="off" className="mt-1.5 grid gap-1.5">
      <span className="tabular-nums">{text}</span>
      <Progress
        value={total === null ? null : count / total}
        label="导出进度"
        valueText={text}
        size="sm"
      />
    </div>
  );
}

function progressText(count: number, total: number | null): string {
  const received = formatNumber(count);
  return total === null
    ? `已接收 ${received} 行`
    : `已接收 ${received} / ${formatNumber(total)} 行`;
}
