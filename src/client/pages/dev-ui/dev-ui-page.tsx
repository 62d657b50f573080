import { Monitor, Moon, Sun } from "lucide-react";
import { PageHeader } from "@/components/ui/page-header";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { useTheme } from "@/lib/use-theme";
import { ActionExamples } from "./action-examples";
import { DisplayExamples } from "./display-examples";
import { FormExamples } from "./form-examples";
import { OverlayExamples } from "./overlay-examples";
import { StateExamples } from "./state-examples";
import { TableExamples } from "./table-examples";

/** Every primitive in every state, for looking at: `npx vite`, then `/dev/ui`. */
export function DevUiPage() {
  const { theme, setTheme } = useTheme();
  return (
    <main className="mx-auto grid w-full max-w-6xl min-w-0 grid-cols-[minmax(0,1fr)] gap-10 px-4 py-8 md:px-8">
      <PageHeader
        title="界面组件"
        description="每个组件的每种状态，仅在开发环境可见"
        actions={
          <SegmentedControl
            aria-label="主题"
            value={theme}
            onValueChange={setTheme}
            segments={[
              { value: "light", label: "浅色", icon: <Sun aria-hidden="true" /> },
              { value: "dark", label: "深色", icon: <Moon aria-hidden="true" /> },
              { value: "system", label: "跟随系统", icon: <Monitor aria-hidden="true" /> },
            ]}
          />
        }
      />
      <ActionExamples />
      <FormExamples />
      <DisplayExamples />
      <TableExamples />
      <OverlayExamples />
      <StateExamples />
    </main>
  );
}
