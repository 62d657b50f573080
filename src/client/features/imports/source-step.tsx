import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "@shared/read-csv.ts";
import { ClipboardPaste, FileText, FileUp } from "lucide-react";
import { useState } from "react";
import { SegmentedControl } from "@/components/segmented-control";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import { Textarea } from "@/components/ui/textarea";
import { formatNumber } from "@/lib/format-number";
import { DropZone } from "./drop-zone";
import { StepCard } from "./step-card";
import type { Check } from "./use-import";

const MEGABYTES = MAX_IMPORT_BYTES / 1024 / 1024;
const LIMITS = `CSV 文件，最大 ${MEGABYTES} MB、${formatNumber(MAX_IMPORT_ROWS)} 行；UTF-8 或 GB18030 编码`;

type SourceStepProps = {
  check: Check;
  /** A file is held over the page. */
  isOver: boolean;
  onFile: (file: File) => void;
  onPaste: (text: string) => void;
};

/** What is to be imported: a file, or cells that were copied from a spreadsheet. */
export function SourceStep({ check, isOver, onFile, onPaste }: SourceStepProps) {
  const [way, setWay] = useState<"file" | "paste">("file");
  return (
    <StepCard
      number={2}
      title="选择文件或粘贴表格"
      action={
        <SegmentedControl
          aria-label="数据来源"
          value={way}
          onValueChange={setWay}
          segments={[
            { value: "file", label: "文件", icon: <FileUp /> },
            { value: "paste", label: "粘贴", icon: <ClipboardPaste /> },
          ]}
        />
      }
    >
      {way === "file" ? (
        <DropZone
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          hint={LIMITS}
          isOver={isOver}
          onFile={onFile}
        />
      ) : (
        <PasteField isChecking={check.kind === "checking"} onPaste={onPaste} />
      )}
      <SourceState check={check} />
    </StepCard>
  );
}

/** Near the file: which it is, or why it was refused as a whole. */
function SourceState({ check }: { check: Check }) {
  switch (check.kind) {
    case "none":
      return null;
    case "checking":
      return (
        <p role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
          <Spinner size="sm" />
          {`正在预检 ${check.name}`}
        </p>
      );
    case "refused":
      return (
        <Alert tone="danger" title={`不能导入：${check.name}`} live>
          {check.problem}
        </Alert>
      );
    case "checked":
      return (
        <p role="status" className="flex items-center gap-2 text-sm">
          <FileText className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{check.source.name}</span>
          <span className="shrink-0 text-muted-foreground tabular-nums">
            {`${formatNumber(check.source.table.rows.length)} 行`}
          </span>
        </p>
      );
  }
}

type PasteFieldProps = { isChecking: boolean; onPaste: (text: string) => void };

function PasteField({ isChecking, onPaste }: PasteFieldProps) {
  const [text, setText] = useState("");
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onPaste(text);
      }}
    >
      <Field label="从电子表格复制的内容" help="连同表头一起复制，在这里粘贴">
        <Textarea
          rows={5}
          value={text}
          spellCheck={false}
          wrap="off"
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button type="submit" variant="outline" loading={isChecking} disabled={text.trim() === ""}>
        预检粘贴的内容
      </Button>
    </form>
  );
}
