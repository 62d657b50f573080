import { BatchResults, type Result } from "@/features/hosts/batch-results";

/** After a batch of renewal requests. */
export function RequestResults({ lines }: { lines: readonly Result[] }) {
  const done = lines.filter(({ ok }) => ok).length;
  return (
    <BatchResults label="每个申请的结果" lines={lines}>
      <p role="status">
        成功 {done} 个，失败 {lines.length - done} 个
      </p>
    </BatchResults>
  );
}
