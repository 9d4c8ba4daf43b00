-- CreateTable
CREATE TABLE "PasswordDecoy" (
    "cost" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "PasswordDecoy_pkey" PRIMARY KEY ("cost")
);
