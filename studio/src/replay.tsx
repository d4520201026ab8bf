// The player alone: a page that plays from disk.
export {};
