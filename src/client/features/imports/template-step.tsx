import { ChevronRight, FileDown } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useIsLargeScreen } from "@/lib/use-media";
import type { ImportKind } from "./import-kind";
import { StepCard } from "./step-card";

type TemplateStepProps = {
  kind: ImportKind;
  /** Once there is a table, its rows need the room. */
  hasTable: boolean;
  onDownload: () => Promise<void>;
};

/** The template, and what belongs into its columns. */
export function TemplateStep({ kind, hasTable, onDownload }: TemplateStepProps) {
  const { columns, notes } = kind;
  const isOpen = useIsLargeScreen() && !hasTable;

  return (
    <StepCard
      number={1}
      title="准备表格"
      action={
        <Button variant="outline" size="sm" onClick={onDownload}>
          <FileDown />
          下载模板
        </Button>
      }
    >
      <details open={isOpen} className="group/columns text-sm">
        <summary className="flex w-fit cursor-pointer items-center gap-1 rounded-sm font-medium text-primary-ink hover:underline">
          <ChevronRight className="size-4 transition-transform group-open/columns:rotate-90" />
          {`${columns.length} 列的说明与示例`}
        </summary>
        <dl className="mt-1 divide-y">
          {columns.map((column) => (
            <ColumnLine key={column.field} column={column} />
          ))}
        </dl>
      </details>
      <ul className="list-disc space-y-0.5 pl-4 text-sm text-muted-foreground">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </StepCard>
  );
}

function ColumnLine({ column }: { column: ImportKind["columns"][number] }) {
  const { header, isRequired, hint, example } = column;
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 py-1.5">
      <dt className="flex items-start gap-1.5 font-medium">
        {header}
        {isRequired ? <Badge tone="accent">必填</Badge> : null}
      </dt>
      <dd className="min-w-0">
        <span className="[overflow-wrap:anywhere]">{example}</span>
        <span className="block text-xs text-muted-foreground">{hint}</span>
      </dd>
    </div>
  );
}
