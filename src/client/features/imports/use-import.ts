import type { ImportResult } from "@shared/imports.ts";
import { type CsvTable, MAX_IMPORT_BYTES, readCsv } from "@shared/read-csv.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorMessage, fieldErrors, isOutcomeUnknown, toastError } from "@/api/errors";
import { notify } from "@/lib/notify";
import { useSession } from "@/session/session";
import { uploadFile } from "../../../sdk/upload.ts";
import type { ImportKind } from "./import-kind";
import { writtenCount, writtenText } from "./import-rows";
import { type NewPassword, newPasswords } from "./new-passwords";

/**
 * What is imported, as it was when it was chosen: the same bytes are checked and then written,
 * whatever becomes of the file meanwhile.
 */
export interface Source {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: CsvTable;
}

export type Check =
  | { readonly kind: "none" }
  | { readonly kind: "checking"; readonly name: string }
  | { readonly kind: "refused"; readonly name: string; readonly problem: string }
  | {
      readonly kind: "checked";
      readonly source: Source;
      readonly result: ImportResult;
      /** Whether the result tells what was written, and not what would be. */
      readonly isWritten: boolean;
    };

/** What lies over the page. */
export type Run =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly count: number }
  /** Nobody knows what was written. */
  | { readonly kind: "lost"; readonly problem: string; readonly source: Source }
  | { readonly kind: "passwords"; readonly passwords: readonly NewPassword[] };

const TOO_LARGE = `文件超过 ${MAX_IMPORT_BYTES / 1024 / 1024} MB，请分成几个文件`;

/** A file from the moment it is chosen until its rows are written. */
export function useImport(kind: ImportKind) {
  const { callDuringSession } = useSession();
  const queryClient = useQueryClient();
  const [check, setCheck] = useState<Check>({ kind: "none" });
  const [run, setRun] = useState<Run>({ kind: "none" });
  const newest = useRef<object>(null);

  function send({ bytes: file }: Source, dryRun: boolean): Promise<ImportResult> {
    return callDuringSession(({ token, signal }) =>
      uploadFile(
        { base: `${location.origin}/`, token: () => token },
        { name: kind.name, file, dryRun, signal },
      ),
    );
  }

  /** Of several that are chosen one after the other, the last one counts. */
  async function checkFile(name: string, chosen: Blob): Promise<void> {
    const own = {};
    newest.current = own;
    setCheck({ kind: "checking", name });

    const checked = await readAndCheck(name, chosen);
    if (newest.current === own) setCheck(checked);
  }

  async function readAndCheck(name: string, chosen: Blob): Promise<Check> {
    if (chosen.size > MAX_IMPORT_BYTES) return { kind: "refused", name, problem: TOO_LARGE };

    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const table = await readCsv(new Blob([bytes]));
      if (table.kind === "refused") return { kind: "refused", name, problem: table.message };

      const source = { name, bytes, table };
      return { kind: "checked", source, result: await send(source, true), isWritten: false };
    } catch (error) {
      return { kind: "refused", name, problem: problemOf(error) };
    }
  }

  async function write(source: Source, result: ImportResult): Promise<void> {
    setRun({ kind: "running", count: writtenCount(result.summary) });
    try {
      const written = await send(source, false);
      const passwords = newPasswords(kind.columns, source.table, written);
      setCheck({ kind: "checked", source, result: written, isWritten: true });
      if (passwords.length > 0) {
        setRun({ kind: "passwords", passwords });
      } else {
        setRun({ kind: "none" });
        notify.success("导入完成", { message: writtenText(written.summary) });
      }
    } catch (error) {
      if (isOutcomeUnknown(error)) {
        setRun({ kind: "lost", problem: problemOf(error), source });
      } else {
        setRun({ kind: "none" });
        toastError("导入失败", error, { message: problemOf(error) });
      }
    } finally {
      void queryClient.invalidateQueries();
    }
  }

  /** Ends what lies over the page. Where the outcome is unknown, a check tells it. */
  function closeRun(): void {
    setRun({ kind: "none" });
    if (run.kind === "lost") void checkFile(run.source.name, new Blob([run.source.bytes]));
  }

  return { check, run, checkFile, write, closeRun };
}

/** What is said of a file that is refused as a whole. */
function problemOf(error: unknown): string {
  if (error instanceof DOMException) return "无法读取这个文件，请重新选择";

  const [refused] = fieldErrors(error);
  return refused?.message ?? errorMessage(error);
}
