import type { ImportResult } from "@shared/imports.ts";
import { FileDown, Upload } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Button } from "@/components/ui/button";
import { downloadCsv } from "@/lib/download-csv";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { serverNow } from "@/lib/server-time";
import { badRows } from "./bad-rows";
import type { ImportKind } from "./import-kind";
import { checkedText, shownRows, writtenCount, writtenText } from "./import-rows";
import { PreviewTable } from "./preview-table";
import { StepCard } from "./step-card";
import type { Check } from "./use-import";

type Checked = Extract<Check, { kind: "checked" }>;

type CheckStepProps = {
  kind: ImportKind;
  check: Checked;
  onWrite: () => Promise<void>;
};

/** What would happen to each row, or what has happened. */
export function CheckStep({ kind, check, onWrite }: CheckStepProps) {
  const { source, result, isWritten } = check;
  const rows = shownRows(source.table, result);

  return (
    <StepCard
      number={3}
      title={isWritten ? "导入结果" : "核对并导入"}
      description={isWritten ? writtenText(result.summary) : checkedText(result.summary)}
      isActionWide
      action={
        <div className="flex flex-1 flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">
          {result.summary.failed > 0 ? <BadRowsButton kind={kind} check={check} /> : null}
          {isWritten ? (
            <Button asChild>
              <Link href={kind.list.href}>{`查看${kind.list.label}`}</Link>
            </Button>
          ) : (
            <WriteButton kind={kind} result={result} onWrite={onWrite} />
          )}
        </div>
      }
    >
      <PreviewTable
        label={isWritten ? "导入结果" : "预检结果"}
        header={source.table.header}
        columns={kind.columns}
        rows={rows}
      />
    </StepCard>
  );
}

type WriteButtonProps = {
  kind: ImportKind;
  result: ImportResult;
  onWrite: () => Promise<void>;
};

/** Asks once more only where something that is stored is overwritten. */
function WriteButton({ kind, result, onWrite }: WriteButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const count = writtenCount(result.summary);
  const label = count === 0 ? "没有可导入的行" : `导入 ${formatNumber(count)} 行`;
  const updatesText = kind.updatesText(result);

  return (
    <>
      <Button
        disabled={count === 0}
        onClick={() => (updatesText === null ? onWrite() : setAsking(true))}
      >
        <Upload />
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        tone="warning"
        title={kind.updateTitle}
        description={`${updatesText}，原来的内容会被覆盖。`}
        confirmLabel={label}
        // Not returned: the dialog of the run takes the place of this one.
        onConfirm={() => void onWrite()}
      />
    </>
  );
}

/** To be corrected and imported again. */
function BadRowsButton({ kind, check }: Pick<CheckStepProps, "kind" | "check">) {
  function save(): void {
    const rows = badRows(kind.columns, check.source.table, check.result);
    void downloadCsv(`${kind.title}-有误的行-${formatDate(serverNow())}.csv`, rows);
  }

  return (
    <Button variant="outline" onClick={save}>
      <FileDown />
      下载有误的行
    </Button>
  );
}
