export const dryRun = async () => 2;
