import { useSession } from "@/session/session";
import type { DownloadFilters } from "../../../sdk/public-types.ts";

/** A list as the page has asked for it. Its page and its length play no part. */
export type ExportRequest = {
  [List in keyof DownloadFilters]: {
    list: List;
    input: DownloadFilters[List] & { page?: number; limit?: number };
    /** How many rows it has; undefined where that is not known. */
    total: number | undefined;
  };
}[keyof DownloadFilters];

/** Saves a list as a file; what does it is loaded by the first click. */
export function useExport(): (request: ExportRequest) => Promise<void> {
  const { callDuringSession } = useSession();

  return async (request) => {
    const { exportList } = await import("./export-list");
    await exportList(request, callDuringSession);
  };
}
