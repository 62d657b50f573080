import { BatchResults, type Result } from "@/components/batch/batch-results";
import { isDone } from "./use-host-batch";

/** What became of each host, after an act that did not work for all of them. */
export function HostResults({ results }: { results: readonly Result[] }) {
  const done = results.filter(isDone).length;
  return (
    <BatchResults label="每台主机的结果" results={results}>
      <p role="status">{`成功 ${done} 台，失败 ${results.length - done} 台`}</p>
    </BatchResults>
  );
}
