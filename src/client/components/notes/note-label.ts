/** What super admins write for each other; the remarks of assignments are 备注. */
export const NOTE_LABEL = "内部备注";
