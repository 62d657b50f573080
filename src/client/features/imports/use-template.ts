import { toastError } from "@/api/errors";
import { downloadFile } from "@/lib/download-file";
import type { SessionCall } from "@/session/during-session";
import { useSession } from "@/session/session";
import { consoleError, failureOf } from "../../../sdk/download.ts";
import type { ImportKind } from "./import-kind";

/** Saves the template, which has the header alone. */
export function useTemplate({ title, name }: ImportKind): () => Promise<void> {
  const { callDuringSession } = useSession();

  return async () => {
    try {
      const template = await callDuringSession((session) => receiveTemplate(name, session));
      downloadFile(`${title}模板.csv`, [template], "text/csv;charset=utf-8");
    } catch (error) {
      toastError("下载失败", error);
    }
  };
}

/** Rejects with the errors of a download. */
async function receiveTemplate(
  name: ImportKind["name"],
  { token, signal }: SessionCall,
): Promise<Blob> {
  const url = `/api/${name}/import-template`;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal }).catch(throwConsoleError);
  if (!response.ok) throw await failureOf(response, url);

  return await response.blob().catch(throwConsoleError);
}

function throwConsoleError(cause: unknown): never {
  throw consoleError(cause);
}
