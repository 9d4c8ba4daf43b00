-- CreateIndex
CREATE INDEX "User_email_beginning" ON "User"("email" text_pattern_ops);

-- Indexes on expressions, which a schema cannot contain. For searches by the beginning of a name and the end of an email address.
CREATE INDEX "User_name_beginning" ON "User"(lower("name") text_pattern_ops);
CREATE INDEX "User_email_end" ON "User"(reverse("email") text_pattern_ops);

-- Without statistics of the expressions, the planner would read all users instead.
ANALYZE "User";
