import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { PageHeader } from "@/components/page-header";
import { Button } from "@/components/ui/button";
import { CheckStep } from "./check-step";
import type { ImportKind } from "./import-kind";
import { ImportRunDialog } from "./import-run-dialog";
import { SourceStep } from "./source-step";
import { TemplateStep } from "./template-step";
import { useFileDrop } from "./use-file-drop";
import { useImport } from "./use-import";
import { useTemplate } from "./use-template";

/** All steps of an import on one page: a table, what would happen to its rows, and doing it. */
export function ImportScreen({ kind }: { kind: ImportKind }) {
  const { check, run, checkFile, write, closeRun } = useImport(kind);
  const downloadTemplate = useTemplate(kind);
  const isOver = useFileDrop(run.kind === "none" ? checkChosen : null);

  function checkChosen(file: File): void {
    void checkFile(file.name, file);
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={kind.title}
        description={kind.description}
        actions={
          <Button variant="outline" asChild>
            <Link href={kind.list.href}>
              <ArrowLeft />
              <span>{`返回${kind.list.label}`}</span>
            </Link>
          </Button>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <TemplateStep
          kind={kind}
          hasTable={check.kind === "checked"}
          onDownload={downloadTemplate}
        />
        <SourceStep
          check={check}
          isOver={isOver}
          onFile={checkChosen}
          onPaste={(text) => void checkFile("粘贴的内容", new Blob([text]))}
        />
      </div>
      {check.kind === "checked" ? (
        <CheckStep kind={kind} check={check} onWrite={() => write(check.source, check.result)} />
      ) : null}
      <ImportRunDialog kind={kind} run={run} onClose={closeRun} />
    </div>
  );
}
