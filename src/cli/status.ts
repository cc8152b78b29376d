export const status = async () => 2;
