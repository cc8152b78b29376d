export const mark = async () => 2;
