import { Spinner } from "./spinner";

/** While the session is determined or a page's code arrives. */
export function FullScreenSpinner({ label = "加载中..." }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <div className="flex flex-col items-center gap-3">
        <Spinner size="lg" label={null} className="text-primary-ink" />
        <p className="text-sm text-muted-foreground">{label}</p>
      </div>
    </div>
  );
}
