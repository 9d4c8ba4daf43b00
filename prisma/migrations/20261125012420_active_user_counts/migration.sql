-- CreateTable
CREATE TABLE "ActiveUserCount" (
    "day" DATE NOT NULL,
    "users" INTEGER NOT NULL,

    CONSTRAINT "ActiveUserCount_pkey" PRIMARY KEY ("day")
);
