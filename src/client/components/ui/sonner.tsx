import { Toaster as SonnerToaster } from "sonner";
import { ROOMY } from "@/lib/notify";
import { useMedia } from "@/lib/use-media";
import { useTheme } from "@/lib/use-theme";

/**
 * Place one, at the root. Announces politely; Alt+T moves the focus to it. The first toast lies over the top bar, not over a page's
 * own buttons; dialogs on phones leave room for one. Those that are not in sight run out all the same: what comes together shows together.
 */
export function Toaster() {
  const { resolved } = useTheme();
  const isRoomy = useMedia(ROOMY);
  return (
    <SonnerToaster
      theme={resolved}
      position="top-right"
      expand
      gap={8}
      visibleToasts={isRoomy ? 5 : 3}
      offset={{ top: 8, right: 16, bottom: 16, left: 16 }}
      mobileOffset={{ top: 12, right: 12, bottom: 12, left: 12 }}
      containerAriaLabel="通知"
    />
  );
}
