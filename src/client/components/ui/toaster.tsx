import { Toaster as SonnerToaster } from "sonner";
import { useTheme } from "@/lib/use-theme";

/** Place one, at the root. Announces politely; Alt+T moves the focus to it. The first toast lies over the top bar, not over a page's own buttons. */
export function Toaster() {
  const { resolved } = useTheme();
  return (
    <SonnerToaster
      theme={resolved}
      position="top-right"
      expand
      gap={8}
      visibleToasts={5}
      offset={{ top: 8, right: 16, bottom: 16, left: 16 }}
      mobileOffset={{ top: 12, right: 12, bottom: 12, left: 12 }}
      containerAriaLabel="通知"
    />
  );
}
