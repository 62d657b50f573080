/** The foot of the window, where the frame shows what acts on a selection. */
export const DOCK_ID = "dock";
