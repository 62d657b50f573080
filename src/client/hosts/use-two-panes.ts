import { useIsLargeScreen } from "@/lib/use-media";

/** Whether list and details have room beside each other, next to an open sidebar. */
export function useTwoPanes(): boolean {
  return useIsLargeScreen();
}
